"""What a run notes so that it can be begun, judged and asked again, without the world it was made in."""
