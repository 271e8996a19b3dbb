"""Probing experiments on synthetic (PCFG) corpora: plan, trials, scores."""
