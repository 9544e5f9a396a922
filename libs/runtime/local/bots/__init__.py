"""Bots that staff and play the tables of a local casino, through the gateway's HTTP API like anybody else.

Their ids begin with `bot-`. They know nothing but what the API tells them, so they may be stopped and started at any
moment: each first asks where it stands.
"""
