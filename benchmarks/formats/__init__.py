"""Real documents of many formats: what is found in them, where they are cut, how long that takes."""
