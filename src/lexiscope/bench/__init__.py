"""Joins the rooms: plans become cells, cells become results."""
