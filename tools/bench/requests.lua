-- wrk script: builds the requests and prints the result as JSON. Arguments: path, first number, method, body, token.
-- In path and body, {n} is replaced by the next unused number and {a..b} by a random number from a to b.
local next_number = 0

local function fill_placeholders(template)
  local text = template:gsub('{n}', function()
    next_number = next_number + 1
    return string.format('%d', next_number)
  end)
  return (text:gsub('{(%d+)%.%.(%d+)}', function(low, high)
    return string.format('%d', math.random(tonumber(low), tonumber(high)))
  end))
end

function init(args)
  local path, body = args[1], args[4] or ''
  next_number = tonumber(args[2])
  math.randomseed(next_number % 2147483647)
  wrk.path = path
  wrk.method = args[3] or 'GET'
  if body ~= '' then wrk.headers['Content-Type'] = 'application/json' end
  if args[5] then wrk.headers['Authorization'] = 'Bearer ' .. args[5] end
  if body ~= '' then wrk.body = body end
  local templates = path .. body
  if templates:find('{n}') or templates:find('{%d+%.%.%d+}') then
    function request()
      return wrk.format(nil, fill_placeholders(path), nil, body ~= '' and fill_placeholders(body) or nil)
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"rate":%.1f,"mean":%.3f,"p50":%.3f,"p99":%.3f,"requests":%d,"failed":%d}\n',
    summary.requests / (summary.duration / 1e6), latency.mean / 1000, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    summary.requests, errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
