"""Log-in with an account from elsewhere, such as the university's, by OpenID Connect."""
