"""What a game is: pure rules that a table session hosts. One folder `libs/games/<name>/` with a value `GAME`."""
