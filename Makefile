# One line of help per target: `make help`.
