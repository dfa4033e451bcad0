import { haveStayed } from '../forms/unsaved.ts';

/** next-auth does not report a refused request; a session that still works is not out. */
async function isSignedIn(): Promise<boolean> {
  const answer = await fetch('/api/auth/session');
  return !answer.ok || (await answer.text()) !== '{}';
}

/**
 * Ends the session by deleting its row, so that the cookie is worthless; then opens the sign-in.
 *
 * @throws if the session may still run
 */
export async function signOutFully(): Promise<void> {
  try {
    const { signOut } = await import('next-auth/react');
    await signOut({ redirect: false });
    if (await isSignedIn()) throw new Error('still signed in');
    // A full load leaves nothing shown in memory.
    window.location.assign('/dashboard/sign-in');
  } catch (error) {
    haveStayed();
    throw error;
  }
}
