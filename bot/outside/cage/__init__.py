"""What runs beside this bot, as a process of its own: a confined command, and the warden who outlives it."""
