"""Roue de la chance électronique (art. 67-16-5); see README.md beside this file."""

from libs.games.wheel.rules import GAME

__all__ = ["GAME"]
