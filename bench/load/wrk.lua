-- Requests come from a file named by WRK_REQUESTS, one per line: a path, or a path, a tab and a
-- body to POST. They are made ready before the run, so that the generator does little beside it.
local requests = {}
local at = 0

function init(args)
  for line in io.lines(os.getenv("WRK_REQUESTS")) do
    local path, body = line:match("^([^\t]*)\t(.*)$")
    if body then
      requests[#requests + 1] = wrk.format("POST", path, wrk.headers, body)
    else
      requests[#requests + 1] = wrk.format("GET", line)
    end
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\nJSON {"requests":%d,"us":%d,"bad":%d,"broken":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, e.status,
    e.connect + e.read + e.write + e.timeout, latency:percentile(50), latency:percentile(99)))
end
