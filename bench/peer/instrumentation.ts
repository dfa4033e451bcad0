export function register(): void {
  // Without a file of its own here Next takes the gateway's, two folders up.
}
