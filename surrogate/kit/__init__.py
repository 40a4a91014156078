"""What every package of this project uses: errors, checks of input, atomic files."""
