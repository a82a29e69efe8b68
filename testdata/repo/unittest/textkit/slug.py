import re
import unicodedata


def slugify(text, limit=None):
    """Turn a title into a name for an address."""
    plain = unicodedata.normalize("NFKD", text)
    plain = plain.encode("ascii", "ignore").decode("ascii").lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if limit is not None and len(slug) > limit:
        slug = slug[:limit].rstrip("-")
    if not slug:
        raise ValueError(f"nothing left of {text!r}")
    return slug
