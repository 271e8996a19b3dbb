"""Correlations between evaluations over trained models: plan, training, analysis."""
