"""What every stage stands on: accounts, studies, jobs, notices, the frame of the pages and the base of the API."""
