"""Attacks: hostile files, interrupts and full disks. Each test is one hole that was closed."""
