"""The server that Label Studio calls for predictions: its ML protocol, an address for each study."""
