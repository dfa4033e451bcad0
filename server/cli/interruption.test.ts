import { EventEmitter } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { endWithOutput, untilInterrupted } from './interruption.ts';

const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as () => never);
afterEach(() => {
  exit.mockClear();
  process.exitCode = undefined;
});

const fault = (code: string) => Object.assign(new Error(`write ${code}`), { code });

function outputOf(): EventEmitter {
  const output = new EventEmitter();
  endWithOutput(output as NodeJS.WriteStream);
  return output;
}

it.each([
  ['EPIPE', undefined],
  ['ENOSPC', 1],
])(
  'an output that cannot be written ends a command with nothing to put in order: %s',
  (code, exitCode) => {
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    outputOf().emit('error', fault(code));
    expect(exit).toHaveBeenCalledOnce();
    expect(process.exitCode).toBe(exitCode);
    expect(told).toHaveBeenCalledTimes(code === 'EPIPE' ? 0 : 1);
    told.mockRestore();
  },
);

it('work that goes on is interrupted, and each further write changes nothing', async () => {
  const output = outputOf();
  const interruption = untilInterrupted();
  output.emit('error', fault('EPIPE'));
  output.emit('error', fault('EPIPE'));
  await expect(interruption).rejects.toMatchObject({ name: 'Interrupted', exitCode: 0 });
  expect(exit).not.toHaveBeenCalled();
});

it('an output that nobody reads takes nothing from a mistake’s exit code', async () => {
  const output = outputOf();
  const interruption = untilInterrupted();
  process.exitCode = 1;
  output.emit('error', fault('EPIPE'));
  await expect(interruption).rejects.toMatchObject({ exitCode: 1 });
});
