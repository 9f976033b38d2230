"""The words of the house: values, rules, scenes, lines, sessions, judgements. Imports nothing of ours."""
