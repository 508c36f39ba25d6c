"""One file for each statistic of agreement, which defines STATISTIC; `annotation.agreement.registry` finds them all."""
