"""Past runs through a new policy, today's tools, or a new prompt or model: what would come out otherwise."""
