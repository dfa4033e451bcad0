import { describe, expect, it } from 'vitest';
import { runStages, type Stage, type StageResult } from './run-stages.ts';

function stage(title: string, result: Partial<StageResult>): Stage {
  return { title, run: async () => ({ passed: 0, failed: 0, output: '', ...result }) };
}

async function outcome(groups: Stage[][], goOn: boolean): Promise<{ ok: boolean; text: string }> {
  let text = '';
  const output = {
    write: (piece: string): void => {
      text += piece;
    },
  };
  const ok = await runStages(groups, { goOn, output });
  return { ok, text };
}

const bad = stage('unit', { passed: 3, failed: 2, output: 'the reason' });

describe('stages', () => {
  it('end with the totals on a line of their own', async () => {
    const { ok, text } = await outcome(
      [[stage('a', { passed: 1 })], [stage('b', { passed: 4 })]],
      false,
    );
    expect(ok).toBe(true);
    expect(text.split('\n').at(-2)).toBe('5 passed, 0 failed');
  });

  it('stop after a group with a failure, show its output and name what did not run', async () => {
    const { ok, text } = await outcome([[bad], [stage('build', { passed: 1 })]], false);
    expect(ok).toBe(false);
    expect(text).toContain('the reason');
    expect(text).toMatch(/- build\s+not run/);
    expect(text.split('\n').at(-2)).toBe('3 passed, 2 failed');
  });

  it('go on after a failure when asked to', async () => {
    const { ok, text } = await outcome([[bad], [stage('build', { passed: 1 })]], true);
    expect(ok).toBe(false);
    expect(text.split('\n').at(-2)).toBe('4 passed, 2 failed');
  });

  it('name the tests that this machine cannot run, although the stage passed', async () => {
    const notRun = ['in FastAPI (not run: no python3 on this machine)'];
    const { ok, text } = await outcome([[stage('unit', { passed: 1, notRun })]], false);
    expect(ok).toBe(true);
    expect(text).toMatch(
      /✓ unit \(.*\)\n {2}! in FastAPI \(not run: no python3 on this machine\)\n/,
    );
    expect(text).toMatch(/✓ unit .* 1 passed, 0 failed, 1 not run\n/);
  });

  it('name the tests that passed at a later try', async () => {
    const { ok, text } = await outcome(
      [[stage('journeys', { passed: 2, flaky: ['is paid'] })]],
      false,
    );
    expect(ok).toBe(true);
    expect(text).toContain('\n  ~ is paid (not at the first try)\n');
    expect(text).toMatch(/✓ journeys .* 2 passed, 0 failed, 1 not at the first try\n/);
  });

  it('count a stage that throws as one failure', async () => {
    const broken: Stage = {
      title: 'broken',
      run: () => Promise.reject(new Error('no such program')),
    };
    const { ok, text } = await outcome([[broken]], false);
    expect(ok).toBe(false);
    expect(text).toContain('no such program');
    expect(text.split('\n').at(-2)).toBe('0 passed, 1 failed');
  });
});
