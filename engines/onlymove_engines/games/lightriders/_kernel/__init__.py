"""The compiled part of Light Riders. It takes and returns only integers and arrays."""
