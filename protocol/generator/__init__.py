"""Reads the contract and writes the typed parts of the clients."""
