import { Argument, Command } from 'commander';
import { CommandError } from '../lib/errors.ts';
import { readMerchant } from '../merchants/data.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { ENVIRONMENTS, type Environment, type Tenant } from '../merchants/types.ts';
import type { CommandContext } from './context.ts';

/** The tenant that a command's first arguments name. */
export async function tenantOf(
  { pool }: CommandContext,
  merchantId: string,
  environment: Environment,
): Promise<Tenant> {
  if (!(await readMerchant(pool, merchantId))) {
    throw new CommandError(`There is no merchant ${merchantId}.`);
  }
  return grantTenant(merchantId, environment);
}

/** A command whose first arguments are `<merchant-id> <environment>`. */
export function scoped(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<merchant-id>')
    .addArgument(new Argument('<environment>').choices(ENVIRONMENTS));
}
