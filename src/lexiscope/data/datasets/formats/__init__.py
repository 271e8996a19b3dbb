"""File layouts that several kinds of datasets share."""
