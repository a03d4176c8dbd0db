"""Reads the contract, and makes the tables of its page and the typed parts of the clients."""
