"""What opens the register of persons: keys from a file, and what is sealed and recognised with them."""
