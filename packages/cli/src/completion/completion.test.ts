import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waypost } from "../testing/waypost.ts";

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "waypost-cli-"));
  for (const shell of ["bash", "zsh", "fish"])
    writeFileSync(join(folder, shell), (await waypost("completion", shell)).out);
  writeFileSync(join(folder, "template.json"), "{}");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a real bash offers behind these words; the last one is being written. */
async function offered(line: string): Promise<string[]> {
  const words = line.split(" ");
  const program = `source ${join(folder, "bash")}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
    _waypost; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run("bash", ["--norc", "-c", program], { cwd: folder });
  return stdout.split("\n").filter((word) => word !== "");
}

test.each<[string, string[]]>([
  ["waypost mess", ["messages"]],
  ["waypost messages ", ["list", "show", "history", "cancel", "--help"]],
  ["waypost messages list --dir", ["--direction"]],
  ["waypost messages list --direction ", ["outbound", "inbound"]],
  ["waypost messages list --direction inbound --status f", ["failed"]],
  ["waypost --base-url http://127.0.0.1 key ro", ["rotate"]],
  ["waypost account setup-link cr", ["create"]],
  ["waypost account setup-link create --ret", ["--return-url"]],
  ["waypost templates submit tem", ["template.json"]],
  ["waypost audit activity --out tem", ["template.json"]],
  ["waypost completion x", []],
])("bash offers, behind `%s`", async (line, expected) => {
  expect(await offered(line)).toEqual(expected);
});

test("every option of every command stands in all three scripts", async () => {
  const help = (await waypost("audit", "activity", "--help")).out;
  for (const shell of ["bash", "zsh", "fish"]) {
    const { out } = await waypost("completion", shell);
    for (const [, flag = ""] of help.matchAll(/--([a-z-]+)/g)) expect(out).toContain(flag);
    for (const word of ["quarantine", "trigger", "disconnect"]) expect(out).toContain(word);
  }
});

/** Where they are installed: what they cannot parse they would report at each start. */
test.for(["zsh", "fish"])("%s reads its script", async (shell, { skip }) => {
  skip(!existsSync(`/usr/bin/${shell}`));
  expect(await run(shell, ["-n", join(folder, shell)])).toMatchObject({ stderr: "" });
});

test("as JSON a script is one object", async () => {
  const { code, out, err } = await waypost("completion", "fish", "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(JSON.parse(out)).toEqual({ shell: "fish", script: (await waypost("completion", "fish")).out });
});

test("another shell is refused", async () => {
  expect(await waypost("completion", "tcsh")).toMatchObject({ code: 2, out: "" });
});
