import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ROOT } from "./npm-start.ts";

// The verifications of docs/webhooks.md, as they stand there, against fixtures/webhooks/deliveries.json.

type Vector = {
  name: string;
  valid: boolean;
  secret: string;
  now: number;
  headers: Record<string, string>;
  body: string;
};
const VECTORS: Vector[] = JSON.parse(readFileSync(join(ROOT, "fixtures/webhooks/deliveries.json"), "utf8")).deliveries;
/** A delivery a line: header, secret, time, body in base64. Each program answers with true or false a line. */
const LINES = VECTORS.map(({ headers, secret, now, body }) =>
  [headers["x-service-signature"], secret, now, body].join("\t"),
).join("\n");

const page = readFileSync(join(ROOT, "docs/webhooks.md"), "utf8");
const snippetOf = (language: string): string => {
  const [, snippet] =
    new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "m").exec(page.slice(page.indexOf("### TypeScript"))) ?? [];
  if (snippet === undefined) throw new Error(`docs/webhooks.md has no ${language}`);
  return snippet;
};

type Program = {
  language: string;
  /** Succeeds where the runtime is installed. */
  runtime: readonly [string, ...string[]];
  files: (snippet: string) => Record<string, string>;
  run: readonly [string, ...string[]];
};

const PROGRAMS: Program[] = [
  {
    language: "ts",
    runtime: ["node", "--version"],
    files: (snippet) => ({
      "receiver.ts": `${snippet}
import { readFileSync } from "node:fs";
for (const line of readFileSync(0, "utf8").trimEnd().split("\\n")) {
  const [signature = "", secret = "", now, body = ""] = line.split("\\t");
  console.log(verify(signature, Buffer.from(body, "base64"), secret, Number(now)));
}
`,
    }),
    run: ["node", "--import", import.meta.resolve("tsx"), "receiver.ts"],
  },
  {
    language: "python",
    runtime: ["python3", "--version"],
    files: (snippet) => ({
      "receiver.py": `${snippet}
import base64
import sys

for line in sys.stdin:
    signature, secret, now, body = line.rstrip("\\n").split("\\t")
    print(str(verify(signature, base64.b64decode(body), secret, int(now))).lower())
`,
    }),
    run: ["python3", "receiver.py"],
  },
  {
    language: "go",
    runtime: ["go", "version"],
    files: (snippet) => ({
      "go.mod": "module example.test/receiver\n\ngo 1.20\n",
      "waypost/verify.go": snippet,
      "main.go": `package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"

	"example.test/receiver/waypost"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\\t")
		body, _ := base64.StdEncoding.DecodeString(fields[3])
		now, _ := strconv.ParseInt(fields[2], 10, 64)
		fmt.Println(waypost.Verify(fields[0], body, fields[1], now))
	}
}
`,
    }),
    run: ["go", "run", "."],
  },
  {
    language: "php",
    runtime: ["php", "--version"],
    files: (snippet) => ({
      "receiver.php": `<?php
${snippet}
while (($line = fgets(STDIN)) !== false) {
    [$signature, $secret, $now, $body] = explode("\\t", rtrim($line, "\\n"));
    echo verify($signature, base64_decode($body), $secret, (int) $now) ? "true\\n" : "false\\n";
}
`,
    }),
    run: ["php", "receiver.php"],
  },
  {
    language: "java",
    runtime: ["javac", "-version"],
    files: (snippet) => ({
      "Receiver.java": `${snippet}
class Receiver {
    public static void main(String[] args) throws Exception {
        for (String line : new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\\n")) {
            String[] f = line.split("\\t", -1);
            byte[] body = java.util.Base64.getDecoder().decode(f[3]);
            System.out.println(WaypostSignature.verify(f[0], body, f[1], Long.parseLong(f[2])));
        }
    }
}
`,
    }),
    run: ["sh", "-c", "javac Receiver.java && java -cp . Receiver"],
  },
  {
    language: "ruby",
    runtime: ["ruby", "--version"],
    files: (snippet) => ({
      "receiver.rb": `${snippet}
STDIN.each_line do |line|
  signature, secret, now, body = line.chomp.split("\\t", -1)
  puts verify(signature, body.unpack1("m"), secret, now.to_i)
end
`,
    }),
    run: ["ruby", "receiver.rb"],
  },
  {
    language: "csharp",
    runtime: ["dotnet", "--version"],
    files: (snippet) => ({
      "receiver.csproj": `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net8.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>
`,
      "WaypostSignature.cs": snippet,
      "Program.cs": `while (Console.ReadLine() is { } line)
{
    var f = line.Split('\\t');
    Console.WriteLine(WaypostSignature.Verify(f[0], Convert.FromBase64String(f[3]), f[1], long.Parse(f[2])) ? "true" : "false");
}
`,
    }),
    run: ["dotnet", "run", "--project", "."],
  },
  {
    language: "bash",
    runtime: ["sh", "-c", "bash --version && openssl version"],
    files: (snippet) => ({
      "receiver.sh": `${snippet}
while IFS= read -r line || [[ -n $line ]]; do
  IFS='|' read -r signature secret now body <<<"\${line//$'\\t'/|}"
  base64 -d <<<"$body" >body
  if verify "$signature" body "$secret" "$now"; then echo true; else echo false; fi
done
`,
    }),
    run: ["bash", "receiver.sh"],
  },
];

function isInstalled([program, ...args]: Program["runtime"]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const folder = mkdtempSync(join(tmpdir(), "waypost-verify-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the verification of docs/webhooks.md", () => {
  it.each(PROGRAMS)(
    "in $language accepts and refuses what it must",
    ({ language, runtime, files, run: [program, ...args] }) => {
      const snippet = snippetOf(language);
      if (!isInstalled(runtime)) {
        console.warn(`${runtime[0]} is not installed: the snippet in ${language} was not run`);
        return;
      }
      const cwd = join(folder, language);
      for (const [name, text] of Object.entries(files(snippet))) {
        mkdirSync(dirname(join(cwd, name)), { recursive: true });
        writeFileSync(join(cwd, name), text);
      }
      const out = execFileSync(program, args, { cwd, input: `${LINES}\n`, encoding: "utf8" })
        .trim()
        .split("\n");
      expect(VECTORS.map(({ name }, index) => [name, out[index]])).toEqual(
        VECTORS.map(({ name, valid }) => [name, String(valid)]),
      );
    },
    // A compiler's first run builds its library.
    300_000,
  );
});
