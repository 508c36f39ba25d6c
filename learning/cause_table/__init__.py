"""Ways of finding marked sentences, side by side over several seeds."""
