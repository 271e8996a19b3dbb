"""Work on a dask cluster, whose workers share no folder with this process."""
