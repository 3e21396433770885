import { expect, test } from "vitest";
import { checkUrl, egressPolicy, mayReach, TargetRefused } from "./target.ts";

const strict = egressPolicy([], []);
const open = egressPolicy(["127.0.0.0/8", "::1/128", "10.1.0.0/16"], [9443]);

test.each([
  "8.8.8.8",
  "1.1.1.1",
  "93.184.216.34",
  "172.15.255.255",
  "172.32.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "192.167.255.255",
  "11.0.0.1",
  "223.255.255.254",
  "2606:4700::1111",
  "2a00:1450:4001:801::200e",
  "2001:4860:4860::8888",
  "2400:cb00::1",
])("public: %s", (address) => {
  expect(mayReach(address, false, strict)).toBe(true);
});

test.each([
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.0.2.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.88.99.1",
  "192.168.0.1",
  "192.175.48.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:8.8.8.8",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::8.8.8.8",
  "::127.0.0.1",
  "64:ff9b::808:808",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:0:5ef5:79fd::1",
  "2001:2::1",
  "2001:10::1",
  "2001:20::1",
  "2001:db8::1",
  "2002:808:808::1",
  "2002:7f00:1::",
  "3fff::1",
  "4000::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "fe80::1%eth0",
  "",
  "localhost",
  "1.2.3",
  "example.com",
])("not public: %s", (address) => {
  expect(mayReach(address, false, strict)).toBe(false);
});

test("the operator's ranges, of their own family, and nothing beside them", () => {
  for (const address of ["127.0.0.1", "127.9.9.9", "::1", "10.1.255.1"])
    expect(mayReach(address, true, open)).toBe(true);
  for (const address of ["10.2.0.1", "8.8.8.8", "::ffff:127.0.0.1", "192.168.0.1"])
    expect(mayReach(address, true, open)).toBe(false);
  expect(mayReach("8.8.8.8", false, open)).toBe(true);
});

test.each([
  "https://example.com/hook",
  "https://example.com:443/",
  "https://example.com:8443/a?b=c#d",
  "https://EXAMPLE.com",
  "https://xn--bcher-kva.example/",
  "https://bücher.example/",
  "https://does-not-resolve.invalid/",
  "https://127.0.0.1.example.com/",
  "https://localhost.example.com/",
])("accepted: %s", (url) => {
  expect(checkUrl(url, strict).insideOnly).toBe(false);
});

test.each([
  "http://example.com/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/plain,x",
  "//example.com/",
  "example.com",
  "",
  "https://",
  "https://user@example.com/",
  "https://user:pass@example.com/",
  "https://:pass@example.com/",
  "https://example.com:80/",
  "https://example.com:22/",
  "https://example.com:0/",
  "https://example.com:9443/",
  "https://example.com:99999/",
  "https://8.8.8.8/",
  "https://127.0.0.1/",
  "https://127.1/",
  "https://0x7f.1/",
  "https://2130706433/",
  "https://017700000001/",
  "https://0/",
  "https://127.0.0.1./",
  "https://[::1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[2606:4700::1111]/",
  "https://localhost/",
  "https://LOCALHOST./",
  "https://a.localhost/",
  "https://①②⑦.0.0.1/",
  `https://example.com/${"a".repeat(2_048)}`,
])("refused: %s", (url) => {
  expect(() => checkUrl(url, strict)).toThrow(TargetRefused);
});

test.each([
  ["http://127.0.0.1:3000/hook", true],
  ["http://localhost:3000/hook", true],
  ["https://127.0.0.1/", true],
  ["http://[::1]:8080/", true],
  ["http://receiver.internal:8080/", true],
  ["https://receiver.internal:7777/", true],
  ["https://example.com:9443/", false],
  ["https://example.com/", false],
  ["https://localhost/", false],
])("inside the operator's ranges: %s", (url, insideOnly) => {
  expect(checkUrl(url, open).insideOnly).toBe(insideOnly);
});

test.each([
  "http://10.2.0.1/",
  "https://8.8.8.8/",
  "http://192.168.0.1:8080/",
  "http://[::ffff:127.0.0.1]/",
  "http://user@127.0.0.1/",
  "ftp://127.0.0.1/",
])("outside them: %s", (url) => {
  expect(() => checkUrl(url, open)).toThrow(TargetRefused);
});
