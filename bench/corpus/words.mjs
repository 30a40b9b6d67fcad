/** The words of the corpus. The lists multiply: a few hundred words make millions of texts. */

export const LANGUAGES = [
  ...['TypeScript', 'Python', 'Rust', 'Go', 'Java', 'Kotlin', 'C++', 'Elixir', 'Ruby', 'Swift'],
  ...['Zig', 'OCaml', 'Scala', 'C#', 'PHP', 'Haskell', 'Lua', 'Julia', 'Bash', 'SQL'],
]

export const TOOLS = [
  ...[
    'PostgreSQL',
    'Redis',
    'NATS',
    'Kafka',
    'Nginx',
    'Envoy',
    'Kubernetes',
    'Terraform',
    'Docker',
  ],
  ...['Prometheus', 'Grafana', 'Meilisearch', 'Elasticsearch', 'RabbitMQ', 'SQLite', 'ClickHouse'],
  ...[
    'webpack',
    'Vite',
    'esbuild',
    'pnpm',
    'Cargo',
    'Poetry',
    'Gradle',
    'Bazel',
    'CMake',
    'pytest',
  ],
  ...['Jest', 'Playwright', 'ESLint', 'Biome', 'mypy', 'clippy', 'gdb', 'perf', 'strace', 'eBPF'],
  ...[
    'systemd',
    'HAProxy',
    'Consul',
    'etcd',
    'MinIO',
    'Airflow',
    'dbt',
    'Spark',
    'PyTorch',
    'NumPy',
  ],
  ...['pandas', 'FastAPI', 'Django', 'Express', 'Fastify', 'Axum', 'Tokio', 'gRPC', 'GraphQL'],
  ...[
    'OpenTelemetry',
    'Jaeger',
    'Ansible',
    'Helm',
    'Argo',
    'Git',
    'tree-sitter',
    'LLVM',
    'WebAssembly',
  ],
]

export const PARTS = [
  ...[
    'connection pool',
    'retry loop',
    'query planner',
    'write-ahead log',
    'event loop',
    'scheduler',
  ],
  ...[
    'garbage collector',
    'lock file',
    'build cache',
    'service mesh',
    'load balancer',
    'rate limiter',
  ],
  ...['message consumer', 'replication slot', 'health check', 'config loader', 'migration runner'],
  ...[
    'thread pool',
    'tokenizer',
    'vector index',
    'embedding cache',
    'tool router',
    'context window',
  ],
  ...[
    'file watcher',
    'module resolver',
    'type checker',
    'test runner',
    'snapshot store',
    'job queue',
  ],
  ...[
    'certificate store',
    'DNS resolver',
    'session store',
    'audit log',
    'cron trigger',
    'circuit breaker',
  ],
  ...[
    'memory allocator',
    'page cache',
    'stream parser',
    'diff engine',
    'code formatter',
    'linter pass',
  ],
  ...['prompt template', 'planner step', 'sandbox runner', 'patch applier', 'dependency graph'],
]

export const SYMPTOMS = [
  ...[
    'hangs after a reconnect',
    'leaks memory slowly',
    'returns stale rows',
    'drops the last batch',
  ],
  ...['times out under load', 'fails only in CI', 'deadlocks on shutdown', 'reorders messages'],
  ...['starts twice', 'ignores the configured limit', 'rejects valid input', 'loses precision'],
  ...['spins at 100 % of one core', 'writes a truncated file', 'misreads the time zone'],
  ...['breaks on paths with spaces', 'never releases its lock', 'doubles every request'],
  ...['falls back to a sequential scan', 'throttles the wrong client', 'hides the original error'],
  ...[
    'compiles but panics at run time',
    'flakes about once in forty runs',
    'skips empty partitions',
  ],
]

export const CAUSES = [
  ...['a default timeout shorter than the retry budget', 'an index that the planner cannot use'],
  ...['a shared mutable buffer', 'a cache keyed by the wrong field', 'an unbounded queue'],
  ...['a race between close and flush', 'clock skew of a few hundred milliseconds'],
  ...['an integer that overflows at 2^31', 'a locale that changes the sort order'],
  ...['a missing await in the cleanup path', 'a stale lock left by a killed worker'],
  ...['Nagle and delayed acknowledgements together', 'a glob that also matches hidden files'],
  ...['a transitive dependency pinned too loosely', 'a proxy that buffers whole responses'],
  ...['an environment variable that one shell exports and another does not'],
  ...['a hash seed that differs between workers', 'an off-by-one at the page boundary'],
  ...['a retry without jitter', 'two writers that both believe they lead'],
]

export const FIXES = [
  ...[
    'set the timeout from the caller\u2019s deadline',
    'add a partial index on the hot predicate',
  ],
  ...['copy the buffer before handing it over', 'key the cache by tenant and version'],
  ...['bound the queue and shed load early', 'drain before closing, under a deadline'],
  ...['compare monotonic clocks instead of wall time', 'store the counter as a 64-bit integer'],
  ...['sort by bytes with collation C', 'await the cleanup and assert that it ran'],
  ...['take a session advisory lock instead of a lock file', 'disable Nagle on that socket'],
  ...['anchor the pattern and list the exceptions', 'pin the version and commit the lock file'],
  ...['turn off response buffering for that route', 'read the variable once, at start-up'],
  ...['use a stable hash with a fixed seed', 'make the lower bound exclusive'],
  ...['add full jitter to the backoff', 'fence writers with an epoch number'],
]

export const MEASURES = [
  ...['p99 latency', 'throughput', 'resident memory', 'build time', 'cold start', 'error rate'],
  ...[
    'allocation rate',
    'cache hit ratio',
    'queue depth',
    'replication lag',
    'CPU time per request',
  ],
  ...['token usage', 'test wall time', 'index size', 'lock wait time', 'bytes on the wire'],
]

export const SYSTEMS = [
  ...['Debian 12', 'Ubuntu 24.04', 'macOS 15', 'Alpine 3.20', 'Fedora 41', 'Windows 11 with WSL2'],
  ...['Amazon Linux 2023', 'NixOS 24.11', 'FreeBSD 14', 'Arch Linux'],
]

export const MODELS = words(
  'atlas-4-large atlas-4-mini boreal-70b boreal-8b cinder-2 delta-coder-32b ember-1.5 ' +
    'fjord-pro granite-agent-3 helios-7 iris-code-14b juniper-max',
)

export const HARNESSES = words(
  'terminal-agent editor-plugin ci-runner notebook-agent review-bot research-loop ' +
    'ops-agent browser-agent batch-worker pair-programmer',
)

export const OPERATORS = [
  ...['Northwind Labs', 'Harbor Systems', 'Quiet River', 'Blue Finch', 'Tall Pines Research'],
  ...[
    'Copper Kettle',
    'Stone Bridge',
    'Lantern Works',
    'Open Meadow',
    'Signal Hill',
    'Paper Crane',
  ],
  ...['Second Shore', 'Iron Gate', 'Field Notes', 'Clear Water', 'Long Division', 'Ninth Wave'],
]

export const ADJECTIVES = words(
  'amber brisk calm deft eager fair gentle hardy keen lucid mellow nimble opal patient ' +
    'quick rapid steady tidy urbane vivid wry zesty',
)

export const ANIMALS = words(
  'badger crane dove egret falcon gecko heron jackdaw kestrel lynx marten newt otter ' +
    'puffin quokka raven stoat tern vole wren yak',
)

export const COMMUNITIES = words(
  'databases postgres networking observability testing build-tools typescript python ' +
    'rust golang jvm web security-notes kubernetes ci-cd messaging search-engines caching ' +
    'performance embedded compilers data-pipelines ml-ops agents prompting tool-use ' +
    'evaluation code-review refactoring debugging incident-reports benchmarks ' +
    'documentation accessibility design releases storage distributed-systems scheduling ' +
    'automation',
)

/** Names in code are made of these verbs and nouns: some hundred thousand different names. */
export const VERBS = words(
  'flush commit drain resolve parse merge fetch encode evict retry lock probe shard ' +
    'hydrate fold trim rotate verify spawn yield claim renew batch split patch replay ' +
    'seal stage warm prune',
)

export const NOUNS = words(
  'batch cursor lease segment token frame header offset replica page bucket socket span ' +
    'digest slot worker shard entry window quota buffer journal epoch handle route schema ' +
    'queue tick vote index',
)

/** @param {string} list */
function words(list) {
  return list.split(' ')
}
