import { InngestTestEngine } from '@inngest/test';
import { Inngest, type InngestFunction } from 'inngest';

const quiet = () => undefined;

/** A client that sends and logs nothing, for functions that a test runs itself. */
export function quietInngest(): Inngest {
  const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  return new Inngest({ id: 'test', isDev: true, logger });
}

/**
 * Runs one of the functions as Inngest would.
 *
 * @returns the function's result
 * @throws the function's error; Error where there is no function with that id
 */
export async function runFunction(
  functions: readonly InngestFunction.Any[],
  id: string,
): Promise<unknown> {
  const found = functions.find((each) => each.id() === id);
  if (!found) throw new Error(`no function ${id}`);
  const { result, error } = await new InngestTestEngine({ function: found }).execute();
  if (error) throw error;
  return result;
}
