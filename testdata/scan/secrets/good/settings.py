import os

SLACK = os.environ["SLACK_TOKEN"]
API_KEY = "your-api-key-here"
TOKEN_TYPE = "bearer"
