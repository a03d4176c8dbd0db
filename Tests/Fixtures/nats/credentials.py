"""Makes what a nats-server with accounts in JWTs needs, without its tools and without a network.

Prints a JSON object: `configuration`, text for the server's configuration file, and `credentials`, the content of a
user's credentials file as `nsc` writes it. Only the standard library is used: Ed25519 (RFC 8032), nkeys and JWTs.
"""

import base64
import hashlib
import json
import os
import sys
import time

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
BASE_Y = 4 * pow(5, P - 2, P) % P


def recovered_x(y):
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return P - x if x % 2 else x


BASE_X = recovered_x(BASE_Y)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(number, point):
    result = (0, 1, 1, 0)
    while number:
        if number & 1:
            result = add(result, point)
        point = add(point, point)
        number >>= 1
    return result


def compressed(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


class Key:
    """A key pair of an operator, an account or a user."""

    def __init__(self, kind):
        self.prefix = {"operator": 14, "account": 0, "user": 20}[kind] << 3
        self.raw_seed = os.urandom(32)
        digest = hashlib.sha512(self.raw_seed).digest()
        self.nonce = digest[32:]
        self.secret = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
        self.raw_public = compressed(multiply(self.secret, BASE))

    def sign(self, message):
        def number(*parts):
            return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER

        r = number(self.nonce, message)
        commitment = compressed(multiply(r, BASE))
        s = (r + number(commitment, self.raw_public, message) * self.secret) % ORDER
        return commitment + s.to_bytes(32, "little")

    @property
    def public(self):
        return encoded(bytes([self.prefix]) + self.raw_public)

    @property
    def seed(self):
        seed = 18 << 3
        return encoded(bytes([seed | self.prefix >> 5, (self.prefix & 31) << 3]) + self.raw_seed)


def encoded(data):
    """The text of an nkey: base32 with a checksum (CRC-16/XMODEM)."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return base64.b32encode(data + crc.to_bytes(2, "little")).decode().rstrip("=")


def token(issuer, subject, name, claims):
    def part(data):
        return base64.urlsafe_b64encode(data).decode().rstrip("=")

    body = {"jti": os.urandom(16).hex(), "iat": int(time.time()), "iss": issuer.public, "name": name, "sub": subject}
    header = json.dumps({"typ": "JWT", "alg": "ed25519-nkey"}).encode()
    text = part(header) + "." + part(json.dumps({**body, "nats": {**claims, "version": 2}}).encode())
    return text + "." + part(issuer.sign(text.encode()))


def main():
    operator, account, user = Key("operator"), Key("account"), Key("user")
    unlimited = dict.fromkeys(
        ("subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage", "disk_storage", "streams",
         "consumer"), -1)
    own = token(operator, operator.public, "tests", {"type": "operator"})
    claims = {"type": "account", "limits": {**unlimited, "wildcards": True}, "default_permissions": {}}
    tests = token(operator, account.public, "tests", claims)
    system = Key("account")
    administration = token(
        operator, system.public, "SYS",
        {"type": "account", "limits": {**unlimited, "wildcards": True, "mem_storage": 0, "disk_storage": 0}})
    allowed = {"pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1}
    member = token(account, user.public, "pushhost", {"type": "user", **allowed})
    configuration = "\n".join([
        # On a busy machine a client needs more than the two seconds that it has to prove who it is.
        "authorization { timeout: 60 }",
        f'operator: "{own}"', f"system_account: {system.public}", "resolver: MEMORY", "resolver_preload: {",
        f'  {account.public}: "{tests}"', f'  {system.public}: "{administration}"', "}", ""])
    credentials = "\n".join([
        "-----BEGIN NATS USER JWT-----", member, "------END NATS USER JWT------", "",
        "-----BEGIN USER NKEY SEED-----", user.seed, "------END USER NKEY SEED------", ""])
    json.dump({"configuration": configuration, "credentials": credentials}, sys.stdout)


main()
