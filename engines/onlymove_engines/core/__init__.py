"""What the rest of the engines is written in: values, rules, game definitions, analysis, scenes, judgements."""
