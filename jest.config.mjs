const swc = {
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'es6' },
  sourceMaps: 'inline',
}

/** Runs the tests as native ESM through swc; `tsc -p tsconfig.test.json` checks their types. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/packages', '<rootDir>/services', '<rootDir>/tests', '<rootDir>/bench'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  modulePathIgnorePatterns: ['/dist/\\.tsbuildinfo'],
  // Each wait has its own bound, and its error says what it waited for. This timeout ends tests and
  // hooks that hang. It is long because the end of a suite may stop a service, its servers and its
  // database, each within its own bound.
  testTimeout: 120_000,
  // Node.js 20 never frees the modules of a test file that has run: some 17 MB for each of hundreds
  // of files (measured by hand). A worker that has grown this large is replaced between two files.
  workerIdleMemoryLimit: '512MB',
  // A worker with so many modules does not exit at once: freeing them takes half a second, and
  // longer while other programs use the processor. A worker that something still holds does not
  // exit within five seconds either.
  workerGracefulExitTimeout: 5_000,
}
