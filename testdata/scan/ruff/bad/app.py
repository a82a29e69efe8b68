import os
import pickle
import subprocess

import requests
import yaml


def load(path, seen=[]):
    seen.append(path)
    with open(path) as f:
        return yaml.load(f)


def restore(blob):
    return pickle.loads(blob)


def convert(name):
    subprocess.run("convert " + name, shell=True)
    return resutl


def fetch(url):
    return requests.get(url, verify=False, timeout=5)


def same(a):
    return a is "text"
