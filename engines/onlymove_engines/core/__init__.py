"""The basic types of the engines: values, rules, game definitions, analysis, scenes and judgements."""
