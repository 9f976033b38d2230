"""Orbito for the compiler. Integers and arrays in and out; knows neither positions nor notation."""
