import { execFileSync, spawnSync } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { headerPairs, requestHeaders } from '#server/callbacks/http/request-headers.ts';
import { signature, signingKey } from '#server/callbacks/http/sign.ts';
import { makeSample } from '#server/callbacks/tools/samples.ts';
import { childEnvironment, projectRoot } from '#server/settings/settings.ts';

const read = (file: string) => readFileSync(path.join(projectRoot(), file), 'utf8');
const PAGE = read('app/docs/_content/callbacks.md');

test('the example of a callback shows each header that we give one', () => {
  const callback = { id: 'ntf_1', body: Buffer.from('{}') };
  const sent = headerPairs(requestHeaders(callback, [createSecretKey('key', 'utf8')], new Date()));
  const [, example = ''] = /^```http\n(.*?)^$/ms.exec(PAGE) ?? [];
  const shown = example.split('\n').filter((line) => line.includes(': '));
  const names = shown.map((line) => line.slice(0, line.indexOf(': ')).toLowerCase());
  expect(names).toEqual(sent.map(({ name }) => name));
  const agent = sent.find(({ name }) => name === 'user-agent')?.value;
  expect(shown).toContain(`User-Agent: ${agent}`);
});

test('a rotation lasts for as long as the page says', () => {
  const source = read('app/dashboard/[environment]/developers/_parts/secret-rotation.tsx');
  const [, hours] = /OVERLAP_HOURS = (\d+);/.exec(source) ?? [];
  expect(PAGE).toContain(`For ${hours} hours callbacks carry both signatures`);
  const russian = read('app/docs/_content/ru/callbacks.md');
  expect(russian).toContain(`В течение ${hours} часов уведомления несут обе подписи`);
});

test('the limits of the dashboard are told as they are set', () => {
  const maxOf = (name: string, of: string) =>
    new RegExp(`${name} = { max: (\\d+), windowMs: (?:TEN_MINUTES_MS|10 \\* 60 \\* 1000) }`).exec(
      read(`server/trpc/routers/${of}.ts`),
    )?.[1];
  const page = read('app/docs/_content/limits.md');
  const single = maxOf('RESEND_LIMIT', 'callbacks');
  for (const row of [
    `resending callbacks one by one, in the dashboard | ${single} in ten minutes for a person`,
    `resending all that failed, in the dashboard | ${maxOf('RESEND_ALL_LIMIT', 'callbacks')} times in ten minutes`,
    `tests of an endpoint, in the dashboard | ${maxOf('TEST_LIMIT', 'callbacks')} in ten minutes`,
  ]) {
    expect(page).toContain(`| ${row} |`);
  }
});

const SAID = { id: 'msg_01m7…', timestampS: 1_795_278_000 };
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

test.runIf(hasOpenssl)('the command of the page computes the signature that we send', () => {
  const [, command = ''] = /^```sh\n(id=.*?)^```$/ms.exec(PAGE) ?? [];
  // Every byte of the key has to arrive unchanged, above all a zero.
  const secret = `whsec_${Buffer.from([0, 10, 0, ...Buffer.alloc(29, 0xff)]).toString('base64')}`;
  const { body } = makeSample('PAID', { publicUrl: 'https://pay.example', now: new Date(0) });
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-signature-'));
  try {
    const env = childEnvironment({ WEBHOOK_SECRET: secret });
    const sent = signature([signingKey(secret)], SAID.id, SAID.timestampS, body);
    // A reader saves it as copied, or with the line break that an editor adds.
    for (const saved of [body, `${body}\n`]) {
      writeFileSync(path.join(folder, 'body.json'), saved);
      const printed = execFileSync('sh', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
      expect(`v1,${printed.trim()}`).toBe(sent);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
