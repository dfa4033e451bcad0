import { postSigned } from '../../e2e/endpoint-contract.ts';

/** What the variable of the secret holds where somebody forgot it; null: there is none. */
export const NO_SECRETS = [null, '', 'whsec_'];

/** Whether a receiver on this machine takes what anybody could sign: with an empty key. */
export async function isForgeryTaken(port: number): Promise<boolean> {
  return (await postSigned(port, { keys: [Buffer.alloc(0)] })) === 200;
}
