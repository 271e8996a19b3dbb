"""Metrics: functions of predictions and gold values."""
