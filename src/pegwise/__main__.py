"""`python -m pegwise`."""

from pegwise.cli.main import main

if __name__ == "__main__":
    main()
