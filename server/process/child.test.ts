import { ChildProcess } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { childEnvironment, projectRoot } from '../settings/settings.ts';
import { makeThrowAwayFolder } from '../testing/throw-away-folder.ts';
import { type SupervisedChild, superviseChild } from './child.ts';

const node = process.execPath;
let said: string[];
let child: SupervisedChild;

function supervise(program: string, code = ''): void {
  process.execPath = program;
  child = superviseChild({
    name: 'part',
    args: ['-e', `${code}; setInterval(() => undefined, 60_000)`],
    environment: () => childEnvironment(),
    cwd: projectRoot(),
    say: (text) => said.push(text),
  });
}

beforeEach(() => {
  said = [];
});
afterEach(() => {
  process.execPath = node;
  child.kill();
});

// Node reports the one by an event, the other at once.
describe.each([
  ['that is not there', '/nowhere'],
  ['that cannot be named', '/no\0where'],
])('of a program %s', (_title, program) => {
  it('it is started again until it runs', async () => {
    supervise(program);
    await expect.poll(() => said, { timeout: 20_000 }).not.toEqual([]);
    expect(said[0]).toMatch(/^! part ended \(.*no.*where.*\); starting it again in 200 ms$/);
    process.execPath = node;
    await expect.poll(() => child.pid(), { timeout: 20_000 }).toBeGreaterThan(0);
  });

  it('the end waits for none, and sends no signal to who knows whom', async () => {
    const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(false);
    onTestFinished(() => kill.mockRestore());
    supervise(program);
    child.restart();
    await child.stop(60_000);
    child.kill();
    expect(child.pid()).toBeUndefined();
    expect(kill).not.toHaveBeenCalled();
  });
});

it('the end waits for one that runs', async () => {
  supervise(node);
  const pid = child.pid();
  await child.stop(60_000);
  expect(pid).toBeGreaterThan(0);
  expect(() => process.kill(pid as number, 0)).toThrow('ESRCH');
});

it('the end kills one that heeds no SIGTERM', async () => {
  const folder = makeThrowAwayFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ready = path.join(folder, 'ready');
  const file = JSON.stringify(ready);
  supervise(
    node,
    `process.on('SIGTERM', () => undefined); require('fs').writeFileSync(${file}, '')`,
  );
  await expect.poll(() => existsSync(ready), { timeout: 20_000 }).toBe(true);
  const pid = child.pid();
  await child.stop(200);
  expect(() => process.kill(pid as number, 0)).toThrow('ESRCH');
});
