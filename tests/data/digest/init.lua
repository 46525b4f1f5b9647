-- function commented() end
--[[ function blocked() end ]]
local M = {}
function M.setup(opts) return [[function fake() end]] end
local function helper() end
M.run = function() end
function M:close() end
