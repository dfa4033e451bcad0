import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { childEnvironment, projectRoot } from '../env.ts';
import { freePort } from '../testing/ports.ts';
import { makeThrowAwayFolder } from '../testing/throw-away-folder.ts';

const folder = makeThrowAwayFolder();
afterEach(() => rmSync(folder, { recursive: true }));

it('one whose event loop stops turning is killed, and another takes its place', async () => {
  const port = await freePort();
  const web = path.join(folder, 'web.ts');
  const keeper = path.join(folder, 'keeper.ts');
  writeFileSync(
    web,
    `import { createServer } from 'node:http';
     process.on('message', ({ gateway }) => {
       if (gateway === 'stop') process.exit();
       if (gateway === 'ping') process.send({ gateway: 'pong' });
     });
     createServer((request, response) => {
       if (request.url === '/hang') for (;;);
       response.end(String(process.pid));
     }).listen(${port}, '127.0.0.1');`,
  );
  const webs = pathToFileURL(path.join(projectRoot(), 'server/supervisor/webs.ts')).href;
  writeFileSync(
    keeper,
    `import { keepWebs } from ${JSON.stringify(webs)};
     keepWebs({ file: ${JSON.stringify(web)}, processes: 1, environment: {}, pingEveryMs: 400,
       say: (what, text) => console.log(text) });`,
  );
  const child = spawn(process.execPath, ['--import', 'tsx', keeper], {
    cwd: projectRoot(),
    env: childEnvironment({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGTERM'));
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  const pid = () =>
    fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(500) })
      .then((answer) => answer.text())
      .catch(() => null);
  await expect.poll(pid, { timeout: 20_000 }).toMatch(/^\d+$/);
  const first = await pid();
  fetch(`http://127.0.0.1:${port}/hang`).catch(() => null);
  await expect.poll(() => said, { timeout: 20_000 }).toContain('a web hangs and is killed');
  await expect.poll(pid, { timeout: 20_000 }).toMatch(/^\d+$/);
  expect(await pid()).not.toBe(first);
});
