"""The compiled side of Light Riders: integers and arrays in and out, nothing of the house."""
